import { defineSignal } from '@temporalio/workflow';
import { NUDGE } from './contract';

/** A test clock may have moved, or the payment or delivery may be settled. */
export const nudge = defineSignal(NUDGE);
