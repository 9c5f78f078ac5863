import { Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Body, Id } from '../../schema/arguments';
import type { Context } from '../../schema/operation/context';
import { PublicKey } from '../../schema/operation/guard';
import { CreateDevice, Device, NewDevice } from './fields';
import { findDevice, insertDevice } from './rows';

@Resolver()
export class DeviceResolver {
  @Query(() => Device, { description: 'Retrieves a device session' })
  device(@Ctx() context: Context, @Id('device_id', 'device') device_id: string): Promise<Device> {
    return findDevice(context, device_id);
  }

  @Mutation(() => NewDevice, { description: 'Creates a device session. Called by device.js with the public key' })
  @PublicKey()
  async createDevice(
    @Ctx() context: Context,
    @Body('device', () => CreateDevice, 'The browser details') device: CreateDevice,
  ): Promise<NewDevice> {
    const address = context.keyKind === 'private' ? null : context.address;
    return { id: await insertDevice(context, address, device) };
  }
}
