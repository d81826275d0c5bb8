import Type from 'typebox';
import { operation } from './operation.ts';
import { answer, EXAMPLE_TIME, nullable, TIME } from './parts.ts';

const FRANKFURT = 'fra-1';
const SentName = Type.String({
	description:
		'The name of the edge: 1 to 63 lowercase letters, digits, periods and hyphens, beginning and ending with a letter or digit.',
	examples: [FRANKFURT],
});
const Name = Type.String({ description: 'The name of the edge.', examples: [FRANKFURT] });
const EdgeRequest = Type.Object({ name: SentName }, { description: 'Names one edge. Other fields are ignored.' });

const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** The proxy hosts. */
export const edgeOperations = {
	viewEdges: operation({
		path: '/edges/view_all',
		scope: 'edges:read',
		isChange: false,
		tag: 'Edges',
		summary: 'Read all edges',
		description: 'All proxy hosts, revoked ones too. At most 1,000.',
		request: Type.Object({}, { description: 'Nothing. Fields are ignored.' }),
		requestExample: {},
		answer: 'The edges.',
		data: Type.Array(
			answer(
				{
					name: Name,
					key_tail: Type.String({
						description: 'The last four characters of its newest key; empty if it never had one.',
					}),
					date_created: TIME('When it was made, UTC.'),
					revoked_since: nullable(TIME('Since when it is revoked, UTC.'), '`null` if it is not revoked.'),
					link_expires_at: nullable(
						TIME('From when on its link is refused, UTC.'),
						'`null` if it has joined, or has no link.',
					),
					last_seen: nullable(
						TIME('When it last asked or reported, UTC.'),
						'About 10 s exact; `null` if it never did.',
					),
					reported_to: nullable(
						TIME('The newest time of a reading that was counted, UTC.'),
						'How far it has reported; `null` if it never did.',
					),
					checks: Count('How many pairs it has checked.'),
					refusals: Count('How many of them were refused.'),
				},
				'An edge.',
			),
			{ description: 'By name.' },
		),
		dataExample: [
			{
				...{ name: FRANKFURT, key_tail: 'Zz09', date_created: EXAMPLE_TIME, revoked_since: null },
				...{ link_expires_at: null, last_seen: EXAMPLE_TIME, reported_to: EXAMPLE_TIME, checks: 120, refusals: 3 },
			},
		],
		failures: [],
	}),
	linkEdge: operation({
		path: '/edges/link',
		scope: 'edges:write',
		isChange: true,
		tag: 'Edges',
		summary: 'Make an edge, with a link to join',
		description:
			'Makes an edge without a key, or takes a revoked one back, and tells a link, only here, with which its host joins and makes its key. For an edge that has not joined yet, it makes a new link and ends the previous one. Whoever has the key can check pairs and report bandwidth.',
		request: EdgeRequest,
		requestExample: { name: FRANKFURT },
		answer: 'The edge and its link.',
		data: answer(
			{
				name: Name,
				link: Type.String({ format: 'uri', description: 'The link. It is told only here, and good for one key.' }),
				expires_at: TIME('From when on the link is refused, UTC.'),
			},
			'The edge and its link.',
		),
		dataExample: {
			name: FRANKFURT,
			link: 'https://edges.bursar.example/#0000000000000000000000000000000000000000000',
			expires_at: '2026-11-22T09:30:00.000Z',
		},
		failures: ['invalid_edge_name', 'edge_exists', 'too_many_edges', 'no_edge_url'],
	}),
	revokeEdge: operation({
		path: '/edges/revoke',
		scope: 'edges:write',
		isChange: true,
		tag: 'Edges',
		summary: 'Revoke an edge',
		description: 'Refuses the key and the link of the edge within seconds. One that is revoked stays so.',
		request: EdgeRequest,
		requestExample: { name: FRANKFURT },
		answer: 'The edge.',
		data: answer({ name: Name }, 'The edge that is revoked.'),
		dataExample: { name: FRANKFURT },
		failures: ['unknown_edge'],
	}),
};
