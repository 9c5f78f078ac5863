import { defineSignal } from '@temporalio/workflow';
import { NUDGE } from './contract';

export const nudge = defineSignal(NUDGE);
