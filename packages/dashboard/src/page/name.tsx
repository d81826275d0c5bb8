import { Fragment } from 'react';

/** A part that is longer than this may break, after a sign, or after so many letters without one. */
const LONG = 20;
const PIECES = new RegExp(`[^\\s._:-]{1,${LONG}}[\\s._:-]*|[\\s._:-]+`, 'g');

/** A name or an e-mail address. If it does not fit, its lines break at the `@`, and within long parts. */
export function Name({ children }: { readonly children: string }) {
	const pieces = children.split(/(?<=@)/).flatMap((part) => (part.length > LONG ? (part.match(PIECES) ?? []) : [part]));
	return (
		<span>
			{pieces.map((piece, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have an order and nothing else.
				<Fragment key={index}>
					{index > 0 && <wbr />}
					{piece}
				</Fragment>
			))}
		</span>
	);
}
