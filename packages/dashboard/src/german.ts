// All texts in German. They are loaded only if somebody reads German.
export * from './lists/texts.de.ts';
export * from './page/texts.de.ts';
export * from './shell/texts.de.ts';
