import { INVITATION_LIFE_MS, type Invitation, type Person, type PersonRecord } from '../../domain/people/person.ts';
import type { PersonEffect } from '../../domain/people/person-effect.ts';

/** A new link for a person. */
export interface Linked {
	readonly ok: true;
	readonly email: string;
	/** When the new link ends, in Unix milliseconds. */
	readonly expiresAtMs: number;
}

/** Makes a new link. It replaces the person's previous one. */
export function linked(
	{ id, email }: Person,
	{ linkHash, purpose }: { readonly linkHash: string; readonly purpose: Invitation['purpose'] },
	nowMs: number,
	effects: readonly PersonEffect[],
) {
	const expiresAtMs = nowMs + INVITATION_LIFE_MS;
	const invitation = { hash: linkHash, person: id, purpose, expiresAtMs };
	const link: PersonEffect = { kind: 'set_invitation', invitation };
	return { outcome: { ok: true, email, expiresAtMs }, effects: [...effects, link] } as const;
}

/** Ends all sessions of a person. */
export function removeSessions({ sessions }: PersonRecord): readonly PersonEffect[] {
	return sessions.map(({ hash }) => ({ kind: 'remove_session', hash }));
}
