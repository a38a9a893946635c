import type { ProfileDef } from '../../../config/schema/profile-schema.ts';

/** The Responses API: the same schemas; longer descriptions, pictures in results. */
export const openaiResponses: ProfileDef = {
  extends: 'openai',
  title: 'OpenAI Responses',
  models: [],
  description_chars: 2000,
  media: ['image', 'file'],
  sources: [
    'platform.openai.com/docs: Responses; strict may be switched on where it is left out, so it is always said',
  ],
};
