import { InputType, ObjectType } from 'type-graphql';
import { Count, Moment, Text } from '../../schema/shapes';

const MAX_PIXELS = 100_000;

@ObjectType()
@InputType()
class BrowserDetails {
  @Text('User agent', { optional: true, max: 512, example: 'Mozilla/5.0 (X11; Linux x86_64)' })
  user_agent?: string;
  @Text('Languages, separated by commas', { optional: true, max: 200, example: 'es-CO,es' })
  languages?: string;
  @Text('Time zone', { optional: true, max: 64, example: 'America/Bogota' })
  time_zone?: string;
  @Text('Platform', { optional: true, max: 100, example: 'Linux x86_64' })
  platform?: string;
  @Count('Screen width in pixels', { optional: true, min: 0, max: MAX_PIXELS, example: 1280 })
  screen_width?: number;
  @Count('Screen height in pixels', { optional: true, min: 0, max: MAX_PIXELS, example: 800 })
  screen_height?: number;
  @Count('Color depth in bits', { optional: true, min: 0, max: 128, example: 24 })
  color_depth?: number;
  @Count('Maximum number of simultaneous touch points', { optional: true, min: 0, max: 256, example: 0 })
  touch_points?: number;
}

@InputType({ description: 'A new device session' })
export class CreateDevice extends BrowserDetails {
  @Text('Device session ID created by the browser; omit to create an ID', {
    id: 'device',
    optional: true,
    example: 'v9s8d7f6g5h4j3k2l1q0',
  })
  id?: string;
}

@ObjectType({ description: 'A created device session' })
export class NewDevice {
  @Text('Device session ID, for device_session_id fields', { id: 'device', example: 'v9s8d7f6g5h4j3k2l1q0' })
  id!: string;
}

@ObjectType({ description: 'A device session of a browser, stored for 90 days' })
export class Device extends BrowserDetails {
  @Text('Device session ID, for device_session_id fields', { id: 'device', example: 'v9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Moment('Time of creation')
  creation_date!: Date;
  @Text('IP address of the browser; null if the merchant created the session', {
    nullable: true,
    example: '198.51.100.7',
  })
  address!: string | null;
}
