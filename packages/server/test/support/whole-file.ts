import { after, type TestContext } from 'node:test';

/** Stands for the test where a service is started that serves all tests of a file. It ends with the file. */
export const wholeFile = { after } as unknown as TestContext;
