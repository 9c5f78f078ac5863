/** An event is written by the statement that writes its cause, with the object as that statement leaves it. */
import { newId } from '../platform/identifiers';
import type { Render } from '../schema/render';
import type { EventType } from './types';

export interface NewEvent {
  id: string;
  type: EventType;
  object: unknown;
}

/** As it is written. */
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
