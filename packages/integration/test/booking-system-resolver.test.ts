import standard from '@waiver-service/plugin-standard';
import { Container, ContainerModule } from 'inversify';
import { expect, test } from 'vitest';
import { bindPlugins } from '../src/integration-module.ts';
import { BookingSystemResolver } from '../src/plugins/booking-system-resolver.ts';

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
