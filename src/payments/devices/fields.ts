import { InputType, ObjectType } from 'type-graphql';
import { Count, Moment, Text } from '../../schema/shapes';

const MAX_PIXELS = 100_000;

@ObjectType()
@InputType()
class SeenOfBrowser {
  @Text('How it calls itself', { optional: true, max: 512, example: 'Mozilla/5.0 (X11; Linux x86_64)' })
  user_agent?: string;
  @Text('Its languages, separated by commas', { optional: true, max: 200, example: 'es-CO,es' })
  languages?: string;
  @Text('Its time zone', { optional: true, max: 64, example: 'America/Bogota' })
  time_zone?: string;
  @Text('What it runs on', { optional: true, max: 100, example: 'Linux x86_64' })
  platform?: string;
  @Count('Width of the screen', { optional: true, min: 0, max: MAX_PIXELS, example: 1280 })
  screen_width?: number;
  @Count('Height of the screen', { optional: true, min: 0, max: MAX_PIXELS, example: 800 })
  screen_height?: number;
  @Count('Bits of a colour', { optional: true, min: 0, max: 128, example: 24 })
  color_depth?: number;
  @Count('Fingers that it can tell apart', { optional: true, min: 0, max: 256, example: 0 })
  touch_points?: number;
}

@InputType({ description: 'What a browser says of itself' })
export class CreateDevice extends SeenOfBrowser {
  @Text('Made by the browser; absent: a new one', { id: 'device', optional: true, example: 'v9s8d7f6g5h4j3k2l1q0' })
  id?: string;
}

@ObjectType({ description: 'A visit that has begun' })
export class NewDevice {
  @Text('The device_session_id', { id: 'device', example: 'v9s8d7f6g5h4j3k2l1q0' })
  id!: string;
}

@ObjectType({ description: 'The visit of a browser. Kept for 90 days' })
export class Device extends SeenOfBrowser {
  @Text('The device_session_id', { id: 'device', example: 'v9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Moment('When it was first seen')
  creation_date!: Date;
  @Text('Its address in the internet; null if the merchant told of it', { nullable: true, example: '198.51.100.7' })
  address!: string | null;
}
