/** Words that stand in every text and tell nothing about it. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  [
    'a an the of to in on at by for with from as into about over via per is are was were be been being am',
    'do does did doing have has had having can could will would shall should may might must',
    'i me my mine we us our you your he she it its they them their this that these those there here',
    'what which who whom whose when where why how and or but if then than so not no nor',
    's t d ll re ve m please also just such any some all each',
  ].flatMap(line => line.split(' ')),
);
