/** An event is written by the SQL statement that causes it, with the resulting object. */
import { newId } from '../platform/identifiers';
import type { Render } from '../schema/render';
import type { EventType } from './types';

export interface NewEvent {
  id: string;
  type: EventType;
  object: unknown;
}

export interface EventRecord extends NewEvent {
  merchant_id: string;
  object_id: string;
  creation_date: Date;
}

export const newEvent = (type: EventType, render: Render, object: unknown): NewEvent => ({
  id: newId('event'),
  type,
  object: render(object),
});
