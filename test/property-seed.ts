/** Of all property tests: the same in each run, unless `npm run test:properties` gives another. */
export const propertySeed = Number(process.env.WAIVER_SERVICE_PROPERTY_SEED ?? 1);
