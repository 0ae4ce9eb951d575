import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as api from '@waiver-service/api';
import * as core from '@waiver-service/core';
import * as pluginKit from '@waiver-service/plugin-kit';
import { z } from 'zod';
import type { PluginInterface } from '../plugin-interface/plugin-interface-page.ts';
import type { Workspace } from '../workspace.ts';
import { type Direction, type JsonSchema, jsonSchemaSchema, type Offer } from './compatibility.ts';

const schemaOf = (schema: z.ZodType, direction: Direction): JsonSchema =>
  jsonSchemaSchema.parse(
    z.toJSONSchema(schema, { io: direction === 'received' ? 'input' : 'output', unrepresentable: 'any' }),
  );

/** A schema with these fields, each of a type in words. */
const fieldsOf = (fields: Readonly<Record<string, string>>, required = Object.keys(fields)): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }])),
  required,
});

type Content = z.ZodType | { readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>> };

const isRoute = (value: unknown): value is api.RouteDeclaration =>
  typeof value === 'object' && value !== null && 'method' in value && 'url' in value && 'schema' in value;

function routeOffers({ method, url, config, schema }: api.RouteDeclaration): Offer[] {
  const subject = `${method} ${url.replace(/:(\w+)/g, '{$1}')}`;
  const contents = (part: string, direction: Direction, content: Content | undefined): Offer[] => {
    if (content === undefined) return [];
    if (content instanceof z.ZodType)
      return [{ subject, part, direction, schema: schemaOf(content, direction) }];
    return Object.entries(content.content).map(([type, one]) => ({
      subject,
      part: `${part} as ${type}`,
      direction,
      schema: schemaOf(one.schema, direction),
    }));
  };
  return [
    { subject, part: 'access', direction: 'received', schema: { type: config.access } },
    ...contents('path', 'received', schema.params),
    ...contents('query', 'received', schema.querystring),
    ...contents('body', 'received', schema.body),
    ...Object.entries(schema.response).flatMap(([status, one]) => contents(status, 'sent', one)),
  ];
}

/** What the service or its host sends, to partners or to plugins; it receives what the other schemas describe. */
const sentSchemas = new Set([
  'guestUpdateSchema',
  'guestWebhookSchema',
  'installResponseSchema',
  'uninstallResponseSchema',
  'waiverSchema',
  'webhookGuestSchema',
]);

const contractOffers = (): Offer[] =>
  Object.entries(core).flatMap(([subject, value]) => {
    if (!(value instanceof z.ZodType)) return [];
    const direction = sentSchemas.has(subject) ? 'sent' : 'received';
    return [{ subject, part: 'schema', direction, schema: schemaOf(value, direction) }];
  });

/** What a plugin is given; it gives what the other interfaces describe. */
const givenInterfaces = new Set([
  'AuthorizationCallback',
  'AuthorizationRequest',
  'BookingChangesRequest',
  'BookingListRequest',
  'BookingSystemAccess',
  'BookingSystemContext',
  'BookingSystemHttp',
  'BookingSystemResponse',
  'InboundCall',
  'InboundRequest',
  'InstalledAccount',
  'RequestToAuthenticate',
  'SentSecrets',
  'SessionContext',
  'SignableRequest',
  'WebhooksToRegister',
  'WebhooksToUnregister',
]);

function pluginOffers({ interfaces, errors, warnings }: PluginInterface): Offer[] {
  const nameOf = (member: string) => /^\w+/.exec(member)?.[0] ?? member;
  return [
    ...interfaces.map(({ name, members }): Offer => {
      const types = members.map((member) => [nameOf(member.name), member.type.replace(/\s+/g, ' ')] as const);
      const required = members.filter(({ isOptional }) => !isOptional).map((member) => nameOf(member.name));
      const direction = givenInterfaces.has(name) ? 'sent' : 'received';
      return {
        subject: name,
        part: 'members',
        direction,
        schema: fieldsOf(Object.fromEntries(types), required),
      };
    }),
    ...errors.map(
      ({ name, code }): Offer => ({
        subject: name,
        part: 'error',
        direction: 'sent',
        schema: fieldsOf({ code }),
      }),
    ),
    ...warnings.map(
      ({ code }): Offer => ({
        subject: code,
        part: 'warning',
        direction: 'sent',
        schema: { type: 'warning' },
      }),
    ),
    ...Object.entries({ core, 'plugin-kit': pluginKit }).map(
      ([name, exported]): Offer => ({
        subject: `@waiver-service/${name}`,
        part: 'exports',
        direction: 'sent',
        schema: fieldsOf(
          Object.fromEntries(Object.entries(exported).map(([key, value]) => [key, typeof value] as const)),
        ),
      }),
    ),
  ];
}

/** From the page whose names and defaults a test of the host compares with the code. */
function settingOffers(root: string): Offer[] {
  const page = readFileSync(join(root, 'docs/settings.md'), 'utf8');
  return [...page.matchAll(/^\| `([A-Z_]+)` +\| ([^|]*?) +\|/gm)].map(([, subject = '', value = '']) => ({
    subject,
    part: 'setting',
    direction: 'received',
    schema: { type: 'setting', default: value },
  }));
}

const metricsFile = 'packages/operations/src/metrics.ts';

function metricOffers({ packages }: Workspace): Offer[] {
  const text = packages.flatMap(({ files }) => files).find(({ path }) => path === metricsFile)?.text ?? '';
  return text
    .split(/\bname: (?=')/)
    .slice(1)
    .map((declared) => {
      const [, subject = ''] = /^'(\w+)'/.exec(declared) ?? [];
      const labels = /labelNames: \[([^\]]*)\]/.exec(declared)?.[1] ?? '';
      const types = [...labels.matchAll(/'(\w+)'/g)].map(([, label = '']) => [label, 'label'] as const);
      return { subject, part: 'metric', direction: 'sent', schema: fieldsOf(Object.fromEntries(types)) };
    });
}

/** Everything that others rely on, as the sources below the workspace's root have it. */
export function readSurface(workspace: Workspace, declared: PluginInterface): Offer[] {
  const exported: readonly unknown[] = Object.values(api);
  return [
    ...exported.filter(isRoute).flatMap(routeOffers),
    ...contractOffers(),
    ...pluginOffers(declared),
    ...settingOffers(workspace.root),
    ...metricOffers(workspace),
  ];
}
