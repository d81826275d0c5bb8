import { momentText } from '../format/time.ts';

/** When something happened, in the time zone of the browser. */
export function Moment({ at }: { readonly at: string }) {
	return <time dateTime={at}>{momentText(at)}</time>;
}
