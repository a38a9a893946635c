/** Whoever is asked whether a call may run. */
import type { Answer, Question } from '@junctor/core';

/** Answers in turn, then with no; what was asked is kept. */
export function person(...answers: Answer[]): { asked: Question[]; ask: (question: Question) => Promise<Answer> } {
  const asked: Question[] = [];
  return {
    asked,
    async ask(question) {
      asked.push(question);
      return answers[asked.length - 1] ?? 'deny';
    },
  };
}
