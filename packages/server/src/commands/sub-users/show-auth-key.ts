import { DONE, type Done, type OwnChange, ownVerb } from '../person-verb.ts';

export interface ShowAuthKey extends OwnChange {
	readonly kind: 'show_auth_key';
}

/** Records that a proxy auth key is shown to a person of its reseller. Keys of many are shown by the same command. */
export const showAuthKey = ownVerb<ShowAuthKey, Done, never>({
	kind: 'show_auth_key',
	calls: ['/sub-users/show-key'],
	decide: () => ({ outcome: DONE, effects: [] }),
});
