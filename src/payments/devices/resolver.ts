import { Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Body, Id } from '../../schema/arguments';
import type { Context } from '../../schema/operation/context';
import { PublicKey } from '../../schema/operation/guard';
import { CreateDevice, Device, NewDevice } from './fields';
import { findDevice, insertDevice } from './rows';

@Resolver()
export class DeviceResolver {
  @Query(() => Device, { description: 'What a browser said of itself, by its device_session_id' })
  device(@Ctx() context: Context, @Id('device_id', 'device') device_id: string): Promise<Device> {
    return findDevice(context, device_id);
  }

  @Mutation(() => NewDevice, { description: 'Begins the visit of a browser. For device.js, with the public key' })
  @PublicKey()
  async createDevice(
    @Ctx() context: Context,
    @Body('device', () => CreateDevice, 'What the browser says of itself') device: CreateDevice,
  ): Promise<NewDevice> {
    const address = context.keyKind === 'private' ? null : context.address;
    return { id: await insertDevice(context, address, device) };
  }
}
