import Type from 'typebox';

/** What GOST v3 asks its auther. */
export const GostAuthRequest = Type.Object(
	{
		service: Type.Optional(Type.String({ description: 'The name of its service. It is ignored.' })),
		username: Type.String({ examples: ['alice.smith'] }),
		password: Type.String({ examples: ['4fQ9sLw2ZbT7xKc1'] }),
		client: Type.Optional(
			Type.String({ description: "The address of GOST's client, with its port.", examples: ['192.0.2.7:50123'] }),
		),
	},
	{ description: 'A pair to check, as GOST sends it. Other fields are ignored.' },
);

export const GostAuthAnswer = Type.Object(
	{
		ok: Type.Boolean(),
		id: Type.String({ description: 'The username in its stored form; empty unless `ok`.', examples: ['alice.smith'] }),
	},
	{ additionalProperties: false, description: 'Whether the pair is good. GOST names its client by the `id`.' },
);

/** What GOST v3 tells its observer. */
export const GostObserveRequest = Type.Object(
	{
		events: Type.Array(Type.Unknown(), {
			description:
				'The statistics of a client count. Other events are left out, and so are those that cannot count: GOST would send them for ever.',
		}),
	},
	{ description: 'What GOST observed.' },
);

export const GostObserveAnswer = Type.Object(
	{ ok: Type.Literal(true) },
	{ additionalProperties: false, description: 'Everything is counted. After any other answer, GOST sends it again.' },
);
