/** The resources that the conformance suite reads, with the content it expects. */
import { PNG } from './media.ts';
import { note, type TestResource, type TestTemplate } from './resources.ts';

/** New ones for each server: one of them can be changed. */
export const fixtureResources = (): readonly TestResource[] => [
  {
    definition: {
      uri: 'test://static-text',
      name: 'static-text',
      description: 'A text that never changes.',
      mimeType: 'text/plain',
    },
    read: () => ({ text: 'This is the content of the static text resource.' }),
  },
  {
    definition: {
      uri: 'test://static-binary',
      name: 'static-binary',
      description: 'A picture that never changes.',
      mimeType: 'image/png',
    },
    read: () => ({ blob: PNG }),
  },
  note('test://watched-resource', 'This is the content of the watched resource.'),
];

export const fixtureTemplates: readonly TestTemplate[] = [
  {
    definition: {
      uriTemplate: 'test://template/{id}/data',
      name: 'template-data',
      description: 'A record by its id.',
      mimeType: 'application/json',
    },
    read: ({ id }) => ({ text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }),
  },
];
