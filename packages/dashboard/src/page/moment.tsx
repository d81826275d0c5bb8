import type { CSSProperties } from 'react';
import { useServerNow } from '../calls/server-clock.ts';
import { agoText, momentText } from '../format/time.ts';

/** A time breaks into no lines. */
const WHOLE: CSSProperties = { whiteSpace: 'nowrap' };

/** When something happened, in the time zone of the browser. */
export function Moment({ at }: { readonly at: string }) {
	return (
		<time dateTime={at} style={WHOLE}>
			{momentText(at)}
		</time>
	);
}

/** How long ago something happened. Pointing at it shows when. */
export function Ago({ at }: { readonly at: string }) {
	const nowMs = useServerNow(1000);
	return (
		<time dateTime={at} title={momentText(at)} style={WHOLE}>
			{agoText(at, nowMs)}
		</time>
	);
}
