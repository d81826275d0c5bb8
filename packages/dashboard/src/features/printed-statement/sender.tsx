import type { Letterhead } from '@bursar/contract/dashboard';
import { useBrand } from '../../mark/use-brand.ts';
import { brandTexts } from '../brand/texts.ts';
import classes from './printed.module.css';

/** Who sends a statement: the logo, and the letterhead or else the name of the service. */
export function Sender({ letterhead }: { readonly letterhead: Letterhead }) {
	const brand = useBrand();
	const { legal_name, address, tax_number } = letterhead;
	return (
		<address className={classes.sender}>
			{brand?.logo && <img src={brand.logo} alt="" />}
			<p>{legal_name === '' ? brand?.name : legal_name}</p>
			{address.map((line, index) => (
				// Two lines can be the same, and never move.
				// biome-ignore lint/suspicious/noArrayIndexKey: see above.
				<p key={index}>{line}</p>
			))}
			{tax_number !== '' && <p>{brandTexts.taxNumberIs(tax_number)}</p>}
		</address>
	);
}
