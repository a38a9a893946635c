/** What is known of English words before any tool is: which tell little, and which are used for each other. */
import { stem } from './stem.ts';

const words = (...lines: string[]): string[] => lines.flatMap(line => line.split(' '));

/** They stand in every text and tell nothing about it. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  words(
    'a an the of to in on at by for with from as into about over via per is are was were be been being am',
    'do does did doing have has had having can could will would shall should may might must',
    'i me my mine we us our you your he she it its they them their this that these those there here',
    'what which who whom whose when where why how and or but if then than so not no nor',
    's t d ll re ve m please also just such any some all each',
  ),
);

/** How people ask, whatever it is they ask for. Where a tool is named so, they still count. */
const ASKING = words(
  'find help need want look provide give show tell know get assist use using like search information detail specific',
  'currently recommend suggest option available latest current interested learn explore check discover',
);
const ASKING_COUNTS = 0.5;

const TALKING = words(
  'comprehensive specifically particular particularly various interested curious urgently effective effectively include',
  'including relevant possible several good great better sure ensure want wish hope able make making way thing lot kind',
  'sort try trying come go going take right really very much many more most well furthermore finally provide assist',
  'assistance regarding concerning certain wonder exactly actually simply easily quickly overall own',
);
const TALKING_COUNTS = 0.4;

/** What a word of a query counts, by its stem. All others count 1. */
export const QUIET_STEMS: ReadonlyMap<string, number> = new Map([
  ...ASKING.map(word => [stem(word), ASKING_COUNTS] as const),
  ...TALKING.map(word => [stem(word), TALKING_COUNTS] as const),
  ...ASKING.filter(word => TALKING.includes(word)).map(word => [stem(word), ASKING_COUNTS * TALKING_COUNTS] as const),
]);

/** Words that one author of a tool writes where another writes the other. */
const ALIKE = [
  'get fetch retrieve read show view display obtain',
  'list enumerate show',
  'create add make new insert generate',
  'delete remove drop erase clear',
  'update edit modify change',
  'search find query lookup',
  'send post publish submit',
  'run execute start launch',
  'stop cancel terminate end',
  'convert transform',
  'analyze inspect check examine',
  'calculate compute',
  'compare comparison',
  'summarize summary',
  'picture image photo',
  'file document',
  'directory folder',
  'repository repo',
  'website webpage site page',
  'mail email',
  'message chat',
  'schedule calendar',
  'buy purchase order',
  'money currency finance',
  'company business corporation',
  'job career employment',
  'trip travel tour',
  'movie film',
  'car vehicle auto',
].map(line => line.split(' ').map(stem));

/** By the stem of a word, the stems of those that may stand for it. */
export const ALIKE_STEMS: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(ALIKE.flat())].map(one => {
    const groups = ALIKE.filter(group => group.includes(one));
    return [one, [...new Set(groups.flat())].filter(other => other !== one)];
  }),
);
