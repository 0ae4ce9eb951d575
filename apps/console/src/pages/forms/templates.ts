// A module by itself, so that the texts of twenty forms are loaded when one is chosen.
export { exampleForms as templates } from '@waiver-service/forms';
