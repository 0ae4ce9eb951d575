// A separate module, so that the texts of twenty forms are loaded only when a template is chosen.
export { exampleForms as templates } from '@waiver-service/forms/examples';
