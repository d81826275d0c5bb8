import type { ActDetails, ActValueName, ChangedValue, RecordedAct } from '@bursar/contract/dashboard';
import { bytesChangeText } from '../../format/bytes.ts';
import { moneyText, priceText } from '../../format/money.ts';
import { numberText } from '../../format/number.ts';
import { momentText } from '../../format/time.ts';
import { roleTexts } from '../../forms/texts.ts';
import { termsTexts } from '../terms/texts.ts';
import { typedGb, typedMbit } from '../terms/typed-limits.ts';
import { actDetailsTexts as texts } from './texts.ts';

/** How many texts of a list are shown. The file of the acts has all of them. */
const SHOWN = 5;

/** What an act changed, and from what to what. Empty if there is no more to say than `actText`. */
export function detailLines({ kind, details }: Pick<RecordedAct, 'kind' | 'details'>): readonly string[] {
	if (!details || details.refused) return [];
	const { moved, fee, names, bytes, reason, changed = {} } = details;
	return [
		...(moved !== undefined && MOVED[kind] ? [MOVED[kind](moneyText(moved))] : []),
		...(Object.keys(changed) as ActValueName[]).map((name) => changedLine(kind, name, changed)),
		...(fee === undefined ? [] : [texts.paid(moneyText(fee))]),
		...(kind === 'end_all_tokens' && names ? [texts.endedToo(listText(names))] : []),
		...(bytes ? [texts.bytes(bytesChangeText(bytes.up), bytesChangeText(bytes.down))] : []),
		...(reason ? [texts.reason(reason)] : []),
	];
}

/** Those whose `actText` does not have the amount. */
const MOVED: { readonly [Kind in RecordedAct['kind']]?: (amount: string) => string } = {
	create_sub_user: texts.given,
	create_reseller: texts.opening,
	delete_sub_user: texts.cameBack,
};

function changedLine(kind: RecordedAct['kind'], name: ActValueName, changed: NonNullable<ActDetails['changed']>) {
	const values = changed[name] as ChangedValue<ActValueName>;
	const [before, after] = values.map((value) => valueText(name, value)) as [string, string];
	if (name === 'webhook_host' && values[0] === values[1]) return texts.otherUrl(after);
	return kind === 'create_sub_user'
		? texts.set(texts.names[name], after)
		: texts.changed(texts.names[name], after, before);
}

type Value = ChangedValue<ActValueName>[number];

function valueText(name: ActValueName, value: Value): string {
	if (value === null) return texts.none[name];
	return TEXTS_OF[name](value as never);
}

const inMoney = (cents: number) => moneyText(cents);
/** It breaks into no lines. */
const inGb = (bytes: number) => `${typedGb(bytes)}\u00a0GB`;
const quoted = (text: string) => texts.quoted(text);

const TEXTS_OF: { readonly [Name in ActValueName]: (value: NonNullable<ChangedValue<Name>[number]>) => string } = {
	day_bytes: inGb,
	month_bytes: inGb,
	total_bytes: inGb,
	connections: numberText,
	bytes_per_second: (limit) => termsTexts.speed(typedMbit(limit)),
	allowed_ips: listText,
	expires_at: momentText,
	note: quoted,
	operator_note: quoted,
	sign_in_ips: listText,
	sign_in_by_address: (state) => texts.states[state],
	price: priceText,
	debt_line: inMoney,
	low_balance: inMoney,
	role: (role) => roleTexts.names[role],
	webhook_host: String,
	webhook_types: listText,
	webhook_state: (state) => texts.states[state],
};

function listText(all: readonly string[]): string {
	const shown = all.slice(0, SHOWN).join(', ');
	return all.length > SHOWN ? texts.andMore(shown, all.length - SHOWN) : shown;
}
