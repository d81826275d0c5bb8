import Type, { type Static, type TObject } from 'typebox';
import { MAX_LOGO_BYTES } from '../limits.ts';
import { PaymentId } from '../payment-schemas.ts';
import { PAYMENT_PROVIDERS } from '../payments.ts';
import { REFERENCE_FORM } from '../reference.ts';
import type { DashboardChanges } from './changes.ts';
import { KEYS_AT_ONCE, NAMES_AT_ONCE } from './limits.ts';
import { MAIL_KINDS } from './mail-shapes.ts';
import { ROLES } from './roles.ts';

const Act = Type.String({ pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' });
const Base64url = Type.String({ pattern: '^[A-Za-z0-9_-]*$' });
const Base64 = Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' });
/** The rules say which ones. */
const OptionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));
/** A credential id has 1023 bytes at most. */
const PasskeyId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,1364}$' });

/** A day from 1970 on, like `2026-11-21`. `Date` would read 30 February as 2 March. */
export const Day = Type.Refine(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }), (text) => {
	const ms = Date.parse(`${text}T00:00:00.000Z`);
	return ms >= 0 && new Date(ms).toISOString().startsWith(text);
});
const AnyRole = Type.Enum([...ROLES]);

/** USD cents. The rules say which ones. */
const Cents = Type.Number();

const Empty = Type.Object({});
const ActOnly = Type.Object({ act: Act });
const Username = Type.Object({ act: Act, username: Type.String() });
const Reseller = Type.Object({ act: Act, reseller: Type.String() });
const Webhook = Type.Object({ act: Act, id: Type.String() });
/** The rules say which ones. */
const EventTypes = Type.Union([Type.Array(Type.String()), Type.Null()]);
const Gift = Type.Object({
	act: Act,
	username: Type.String(),
	amount: Cents,
	note: Type.Optional(Type.String()),
	reference: Type.Optional(Type.String({ pattern: REFERENCE_FORM.source })),
});
const Payment = Type.Object({
	act: Act,
	reseller: Type.String(),
	amount: Cents,
	reference: Type.String(),
	reason: Type.String(),
});
const Email = Type.Object({ act: Act, email: Type.String() });
const Colleague = Type.Object({ act: Act, email: Type.String(), role: AnyRole });
const Named = Type.Object({ act: Act, name: Type.String() });
/** The rules say which ones. */
const NamedToken = {
	act: Act,
	name: Type.String(),
	scopes: Type.Array(Type.String()),
	expires_at: Type.String(),
};
const Password = Type.Object({ password: Type.String(), code: Type.Optional(Type.String()) });

/** Bytes, connections or a speed. The rules say how many. */
const Limit = Type.Optional(Type.Union([Type.Number(), Type.Null()]));
const Limits = Type.Object(
	{
		day_bytes: Limit,
		month_bytes: Limit,
		total_bytes: Limit,
		connections: Limit,
		bytes_per_second: Limit,
		allowed_ips: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
		expires_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
	},
	{ additionalProperties: false, minProperties: 1 },
);

const SignedAnswer = Type.Object({
	id: PasskeyId,
	rawId: PasskeyId,
	type: Type.Literal('public-key'),
	response: Type.Object({
		clientDataJSON: Base64url,
		authenticatorData: Base64url,
		signature: Base64url,
		userHandle: Type.Optional(Type.Union([Base64url, Type.Null()])),
	}),
});
const NewPasskeyAnswer = Type.Object({
	id: PasskeyId,
	rawId: PasskeyId,
	type: Type.Literal('public-key'),
	response: Type.Object({
		clientDataJSON: Base64url,
		attestationObject: Base64url,
		transports: Type.Optional(Type.Array(Type.String())),
	}),
});
/** What a passkey signed to show that it is there. */
export type SignedAnswer = Static<typeof SignedAnswer>;
/** What a new passkey answered. */
export type NewPasskeyAnswer = Static<typeof NewPasskeyAnswer>;

/** The bodies of all changes. Further fields are ignored. */
export const BODIES = {
	'/sign-in': Type.Object({ email: Type.String(), password: Type.String(), code: Type.Optional(Type.String()) }),
	'/sign-in/passkey/question': Empty,
	'/sign-in/passkey': Type.Object({ response: SignedAnswer }),
	'/sign-out': Empty,
	'/invitation': Type.Object({ link: Type.String() }),
	'/invitation/accept': Type.Object({
		link: Type.String(),
		email: Type.Optional(Type.String()),
		password: Type.Optional(Type.String()),
	}),
	'/password/forgot': Type.Object({ email: Type.String() }),
	'/password/link': Type.Object({ link: Type.String() }),
	'/password/new': Type.Object({ link: Type.String(), password: Type.String() }),
	'/proof': Password,
	'/proof/passkey/question': Empty,
	'/proof/passkey': Type.Object({ response: SignedAnswer }),
	'/account/password': Type.Object({ act: Act, password: Type.String() }),
	'/account/codes/setup': Empty,
	'/account/codes': Type.Object({ act: Act, setup: Type.String(), code: Type.String() }),
	'/account/codes/remove': ActOnly,
	'/account/recovery-codes': ActOnly,
	'/account/passkeys/question': Empty,
	'/account/passkeys': Type.Object({ act: Act, name: Type.String(), response: NewPasskeyAnswer }),
	'/account/passkeys/rename': Type.Object({ act: Act, id: PasskeyId, name: Type.String() }),
	'/account/passkeys/remove': Type.Object({ act: Act, id: PasskeyId }),
	'/account/sessions/end': Type.Object({ act: Act, id: Act }),
	'/account/sessions/end-others': ActOnly,
	'/account/mail/choose': Type.Object({ act: Act, mail: Type.Enum(MAIL_KINDS), wanted: Type.Boolean() }),
	'/mail/link': Type.Object({ link: Type.String() }),
	'/mail/stop': Type.Object({ link: Type.String() }),
	'/token/rotate': Type.Object({
		act: Act,
		overlap_seconds: Type.Union([Type.Literal(0), Type.Literal(60), Type.Literal(240)]),
	}),
	'/token/end-all': ActOnly,
	'/tokens/create': Type.Object({
		...NamedToken,
		allowed_ips: Type.Union([Type.Array(Type.String()), Type.Null()]),
	}),
	'/tokens/end': Type.Object({ act: Act, id: Type.String() }),
	'/webhooks/create': Type.Object({ act: Act, url: Type.String(), types: EventTypes }),
	'/webhooks/update': Type.Object({
		act: Act,
		id: Type.String(),
		url: Type.Optional(Type.String()),
		types: Type.Optional(EventTypes),
		enabled: Type.Optional(Type.Boolean()),
		reached: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
	}),
	'/webhooks/delete': Webhook,
	'/webhooks/rotate-secret': Webhook,
	'/webhooks/test': Webhook,
	'/overview/low-balance': Type.Object({
		act: Act,
		low_balance: Type.Union([Cents, Type.Null()]),
		mail: Type.Optional(Type.Literal(true)),
	}),
	'/sub-users/create': Type.Object({
		act: Act,
		username: Type.String(),
		amount: Type.Optional(Cents),
		limits: Type.Optional(Limits),
		note: Type.Optional(Type.String()),
		reference: Type.Optional(Type.String({ pattern: REFERENCE_FORM.source })),
	}),
	'/sub-users/look': Type.Object({ usernames: Type.Array(Type.String(), { minItems: 1, maxItems: NAMES_AT_ONCE }) }),
	'/sub-users/give': Gift,
	'/sub-users/take': Gift,
	'/sub-users/show-key': Username,
	'/sub-users/show-keys': Type.Object({
		act: Act,
		usernames: Type.Array(Type.String(), { minItems: 1, maxItems: KEYS_AT_ONCE }),
	}),
	'/sub-users/reset-key': Username,
	'/sub-users/suspend': Username,
	'/sub-users/resume': Username,
	'/sub-users/limits': Type.Object({ act: Act, username: Type.String(), limits: Limits }),
	'/sub-users/note': Type.Object({ act: Act, username: Type.String(), note: Type.String() }),
	'/sub-users/sign-in-ips': Type.Object({ act: Act, username: Type.String(), sign_in_ips: Type.Array(Type.String()) }),
	'/sub-users/delete': Username,
	'/team/invite': Colleague,
	'/team/role': Colleague,
	'/team/remove': Email,
	'/operator/resellers/create': Type.Object({ act: Act, reseller: Type.String(), opening_balance: Cents }),
	'/operator/top-up': Payment,
	'/operator/adjust': Payment,
	'/operator/price': Type.Object({
		act: Act,
		reseller: Type.String(),
		price: Type.Union([Type.Number(), Type.Null()]),
		debt_line: Type.Optional(Cents),
	}),
	'/operator/forgive-debt': Type.Object({ act: Act, reseller: Type.String(), amount: Cents, reason: Type.String() }),
	'/operator/tokens/create': Type.Object(NamedToken),
	'/operator/tokens/end': Named,
	'/operator/brand/set': Type.Object(
		{
			act: Act,
			name: OptionalText,
			color: OptionalText,
			logo: Type.Optional(Type.Union([Base64, Type.Null()])),
			legal_name: Type.Optional(Type.String()),
			address: Type.Optional(Type.Array(Type.String())),
			tax_number: Type.Optional(Type.String()),
		},
		{ minProperties: 2 },
	),
	'/operator/end-tokens': Reseller,
	'/operator/suspend': Reseller,
	'/operator/resume': Reseller,
	'/operator/note': Type.Object({ act: Act, reseller: Type.String(), note: Type.String() }),
	'/operator/sign-in-by-address': Type.Object({ act: Act, reseller: Type.String(), allowed: Type.Boolean() }),
	'/operator/people/invite': Type.Object({
		act: Act,
		email: Type.String(),
		reseller: Type.Union([Type.String(), Type.Null()]),
		role: Type.Union([AnyRole, Type.Null()]),
	}),
	'/operator/people/lock': Email,
	'/operator/people/unlock': Email,
	'/operator/people/reset': Email,
	'/operator/people/remove': Email,
	'/operator/edges/link': Named,
	'/operator/edges/create': Named,
	'/operator/edges/revoke': Named,
	'/operator/usage/correct': Type.Object({
		act: Act,
		reseller: Type.String(),
		username: Type.String(),
		day: Day,
		up: Type.Number(),
		down: Type.Number(),
		reference: Type.String(),
		reason: Type.String(),
	}),
	'/top-ups/create': Type.Object({ act: Act, provider: Type.Enum([...PAYMENT_PROVIDERS]), amount: Type.Number() }),
	'/operator/payments/read': Type.Object({ act: Act, id: PaymentId }),
	'/operator/ledger/verify': ActOnly,
} as const satisfies Record<keyof DashboardChanges, TObject>;

/**
 * How much the service reads of the bodies that may be larger than `MAX_BODY_BYTES`: a logo in base64, and the rest.
 * @bound Bytes of the body with a logo: a longer one is answered 413.
 */
export const LARGE_BODIES: Partial<Record<keyof DashboardChanges, number>> = {
	'/operator/brand/set': Math.ceil(MAX_LOGO_BYTES / 3) * 4 + 8 * 1024,
};

/** The body of a call, once it was checked. The service reads at most `MAX_BODY_BYTES` of it, or what `LARGE_BODIES` says. */
export type BodyOf<Path extends keyof DashboardChanges> = Static<(typeof BODIES)[Path]>;
