import type { MailedLink } from '../../../domain/mail/mail.ts';
import type { Invitation } from '../../../domain/people/person.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';

/**
 * The encryption context of the secret of a link that is to be mailed. It has the hash, so the secret of one link never
 * passes for that of another one: versions that know no such secrets leave it when they replace a link.
 */
export function linkContext(hash: string): string {
	return `invitations/${hash}`;
}

export function sealLink(secret: string, hash: string, seal: KeySeal): string {
	return seal.seal(secret, linkContext(hash));
}

/** The columns of a link that is to be mailed, read beside `people`. */
export const MAILED_LINK = `invitations.hash AS "linkHash", invitations.purpose AS "linkPurpose",
	invitations.sealed_secret AS "sealedSecret", invitations.expires_at_ms AS "linkExpiresAtMs",
	CASE WHEN EXISTS (SELECT 1 FROM acts WHERE acts.person = people.id) THEN 1 ELSE 0 END AS "isKnown"`;

export interface MailedLinkRow {
	readonly linkHash: string | null;
	readonly linkPurpose: Invitation['purpose'] | null;
	readonly sealedSecret: string | null;
	readonly linkExpiresAtMs: number | null;
	/** Whether the person has used the dashboard before. */
	readonly isKnown: 0 | 1;
}

/** `undefined` if there is no link, or its secret is not known any more. */
export function mailedLinkOf(row: MailedLinkRow, seal: KeySeal): MailedLink | undefined {
	const { linkHash, linkPurpose, sealedSecret, linkExpiresAtMs, isKnown } = row;
	if (linkHash === null || sealedSecret === null || linkExpiresAtMs === null) return undefined;
	const secret = openedOf(sealedSecret, linkHash, seal);
	if (secret === undefined) return undefined;
	const remade = isKnown === 1 ? 'reset' : 'invited';
	return { secret, reason: linkPurpose === 'new_password' ? 'forgotten' : remade, expiresAtMs: linkExpiresAtMs };
}

/** One mail that cannot be written must not hold up all others. */
function openedOf(sealed: string, hash: string, seal: KeySeal): string | undefined {
	try {
		return seal.openOnce(sealed, linkContext(hash));
	} catch {
		return undefined;
	}
}
