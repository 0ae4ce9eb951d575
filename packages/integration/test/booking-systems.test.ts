import type { BookingSystemPlugin } from '@waiver-service/core';
import standard from '@waiver-service/plugin-standard';
import { Container, ContainerModule } from 'inversify';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { bookingSystemDetail, changedSettings } from '../src/admin/booking-system-routes.ts';
import { bindPlugins } from '../src/integration-module.ts';
import { BookingSystemResolver } from '../src/plugins/booking-system-resolver.ts';

const plugin: BookingSystemPlugin = {
  ...standard,
  installName: 'vendor',
  settingsSchema: z.object({ region: z.enum(['eu', 'us']), clientSecret: z.string().min(3).optional() }),
};

describe('the settings of a booking system', () => {
  it('are changed one by one: omitted ones stay, null removes one', () => {
    const first = changedSettings(plugin, {}, { region: 'eu', clientSecret: 'abc' });
    expect(changedSettings(plugin, first, { region: 'us' })).toEqual({ region: 'us', clientSecret: 'abc' });
    expect(changedSettings(plugin, first, { clientSecret: null })).toEqual({ region: 'eu' });
    expect(changedSettings(plugin, first, {})).toEqual(first);
  });

  it('are refused by name if the plugin’s schema rejects the result', () => {
    const refusal = (given: Record<string, unknown>) => {
      try {
        return changedSettings(plugin, {}, given);
      } catch (error) {
        return error;
      }
    };
    expect(refusal({ region: 'asia' })).toMatchObject({ status: 400, errors: [{ path: 'settings.region' }] });
    expect(refusal({})).toMatchObject({ status: 400, errors: [{ path: 'settings.region' }] });
    expect(refusal({ region: 'eu', regoin: 'eu' })).toMatchObject({
      status: 400,
      errors: [{ path: 'settings.regoin', message: expect.stringContaining('region, clientSecret') }],
    });
  });

  it('are never shown, only which are set', () => {
    const set = {
      installName: 'vendor',
      baseUrl: null,
      settings: { region: 'eu', clientSecret: 'top-secret' },
      updatedAt: new Date(),
    };
    const shown = bookingSystemDetail(plugin, set, 10_000);
    expect(shown).toMatchObject({ settingsSet: ['clientSecret', 'region'], configured: false });
    expect(JSON.stringify(shown)).not.toContain('top-secret');
    expect(bookingSystemDetail({ ...plugin, url: () => 'https://x.example' }, set, 1)).toMatchObject({
      configured: true,
    });
    expect(
      bookingSystemDetail(plugin, { ...set, baseUrl: 'https://x.example', settings: {} }, 1),
    ).toMatchObject({
      configured: false,
    });
  });
});

function resolverOf(...names: string[]) {
  const container = new Container();
  const plugins = names.map((installName) => ({ ...standard, installName }));
  container.load(new ContainerModule((options) => bindPlugins(options, plugins)));
  return new BookingSystemResolver(container);
}

test('a plugin is found by its install name, the same one each time', () => {
  const resolver = resolverOf('one', 'two');
  expect(resolver.resolve('two').installName).toBe('two');
  expect(resolver.resolve('two')).toBe(resolver.resolve('two'));
});

test('manifests are listed in the order of their names, as plain data', () => {
  const manifests = resolverOf('two', 'one').manifests();
  expect(manifests.map(({ installName }) => installName)).toEqual(['one', 'two']);
  expect(structuredClone(manifests)).toEqual(manifests);
});

test('an unknown name says which names there are', () => {
  expect(() => resolverOf('two', 'one').resolve('three')).toThrow(
    expect.objectContaining({
      status: 404,
      message: 'There is no booking system "three". There are: one, two.',
    }),
  );
  expect(() => resolverOf().resolve('constructor')).toThrow('There are none.');
});
