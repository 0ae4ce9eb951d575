export { guestDataModule } from './guest-data-module.ts';
