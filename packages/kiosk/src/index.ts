export { kioskModule } from './kiosk-module.ts';
