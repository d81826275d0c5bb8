// The schemas of the dashboard's calls. They have an entry of their own, so that no schema library reaches a browser.
export { BODIES, type BodyOf, LARGE_BODIES, type NewPasskeyAnswer, type SignedAnswer } from './bodies.ts';
export { QUERIES, type QueryOf } from './queries.ts';
