import { type Brand, OWN_BRAND } from '../../../domain/operators/brand.ts';
import { OPERATORS, type ReadLanes } from '../../reading.ts';
import type { SharedStatement } from '../../statement.ts';

export interface BrandReads {
	/** Rejects with `StoreUnavailableError`. */
	readBrand(): Promise<Brand>;
}

export const READ_BRAND: SharedStatement = {
	sql: 'SELECT name, color, logo, legal_name AS "legalName", address, tax_number AS "taxNumber" FROM brand',
	values: [],
};

interface BrandRow extends Pick<Brand, 'name' | 'color' | 'legalName' | 'taxNumber'> {
	/** In base64. */
	readonly logo: string | null;
	/** With line ends between its lines. */
	readonly address: string;
}

export function brandReads({ quick }: ReadLanes): BrandReads {
	return {
		async readBrand() {
			return brandOf(await quick({ owner: OPERATORS, statement: READ_BRAND }));
		},
	};
}

/** Reads the row of `READ_BRAND`, if there is one. */
export function brandOf(rows: readonly object[]): Brand {
	const [row] = rows as readonly BrandRow[];
	if (!row) return OWN_BRAND;
	const { logo, address } = row;
	return {
		...row,
		logo: logo === null ? null : Buffer.from(logo, 'base64'),
		address: address === '' ? [] : address.split('\n'),
	};
}

export function writeBrand({ name, color, logo, legalName, address, taxNumber }: Brand): SharedStatement {
	return {
		sql: `INSERT INTO brand (number, name, color, logo, legal_name, address, tax_number)
			VALUES (1, $1, $2, $3, $4, $5, $6)
			ON CONFLICT (number) DO UPDATE SET name = excluded.name, color = excluded.color, logo = excluded.logo,
			legal_name = excluded.legal_name, address = excluded.address, tax_number = excluded.tax_number`,
		values: [
			...[name, color, logo && Buffer.from(logo).toString('base64')],
			...[legalName, address.join('\n'), taxNumber],
		],
		rows: 1,
	};
}
