import swaggerUi from '@fastify/swagger-ui';
import type { RouteHandlerMethod } from 'fastify';
import type { HostApp } from '../http/host-app.ts';

const name = 'Waiver service: HTTP API';

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 260 40" width="260" height="40"><title>${name}</title><text x="0" y="28" font-family="sans-serif" font-size="26" font-weight="700" fill="#fff">Waiver service</text></svg>`;

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#1b1b1b"/><text x="16" y="24" font-family="sans-serif" font-size="22" font-weight="700" text-anchor="middle" fill="#fff">W</text></svg>';

// With our name at the top and no field for the URL of another document.
const look = {
  logo: { type: 'image/svg+xml', content: logo, href: '/docs' },
  theme: {
    title: name,
    css: [
      {
        filename: 'waiver-service.css',
        content: '.swagger-ui .topbar .download-url-wrapper { display: none }',
      },
    ],
    favicon: [{ filename: 'favicon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: icon }],
  },
};

// The page loads its own scripts and styles, and calls only this host; its styles are partly inline.
const contentPolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

/** Serves `/docs`. @param serveDocument - the handler of the OpenAPI document */
export async function serveDocsPage(app: HostApp, serveDocument: RouteHandlerMethod): Promise<void> {
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' };
      // Swagger UI's own handler would serialize the document for each request.
      if (route.url === '/docs/json') route.handler = serveDocument;
    });
    docs.addHook('onSend', async ({ routeOptions }, reply) => {
      if (routeOptions.url?.startsWith('/docs/static/')) {
        reply.header('cache-control', 'public, max-age=3600');
      }
    });
    await docs.register(swaggerUi, { routePrefix: '/docs', staticCSP: contentPolicy, ...look });
  });
}
