import manifest from '../package.json' with { type: 'json' };

/** The version of the software. */
export const { version } = manifest;
