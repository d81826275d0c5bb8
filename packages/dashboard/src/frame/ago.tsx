import { useServerNow } from '../api/use-server-now.ts';
import { agoText, momentText } from '../format/time.ts';

/** How long ago something happened. Pointing at it shows when. */
export function Ago({ at }: { readonly at: string }) {
	const nowMs = useServerNow(1000);
	return (
		<time dateTime={at} title={momentText(at)}>
			{agoText(at, nowMs)}
		</time>
	);
}
