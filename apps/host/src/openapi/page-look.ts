const name = 'Waiver service: HTTP API';

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 260 40" width="260" height="40"><title>${name}</title><text x="0" y="28" font-family="sans-serif" font-size="26" font-weight="700" fill="#fff">Waiver service</text></svg>`;

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#1b1b1b"/><text x="16" y="24" font-family="sans-serif" font-size="22" font-weight="700" text-anchor="middle" fill="#fff">W</text></svg>';

/** How `/docs` looks: our name at its top, and no field that asks for another document. */
export const pageLook = {
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
