/** Whether this is the release tier, which repeats some tests of `npm test` more often or in more variants. */
export const isRelease = process.env.TEST_TIER === 'release';
