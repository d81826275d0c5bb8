import { PRODUCT_NAME } from '@bursar/contract/brand';
import type { BrandSettings, Letterhead, ShownBrand } from '@bursar/contract/dashboard';
import type { KnownLook } from '../../bank/known-brand.ts';

/** The folder of the logo. Its name changes with its content. */
export const LOGO_FOLDER = '/dashboard/logo';

/** The name of the service. */
export function serviceName({ name }: Pick<KnownLook, 'name'>): string {
	return name ?? PRODUCT_NAME;
}

export function shownBrand(look: KnownLook): ShownBrand {
	return { name: serviceName(look), color: look.color, logo: logoPath(look) };
}

export function brandSettings(look: KnownLook): BrandSettings {
	return { name: look.name, color: look.color, logo: logoPath(look), ...letterheadView(look) };
}

export function letterheadView({ legalName, address, taxNumber }: KnownLook): Letterhead {
	return { legal_name: legalName, address, tax_number: taxNumber };
}

function logoPath({ logoHash }: KnownLook): string | null {
	return logoHash && `${LOGO_FOLDER}/${logoHash}.png`;
}
