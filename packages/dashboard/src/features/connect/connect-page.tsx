import type { ProxyAccess } from '@bursar/contract/dashboard';
import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import type { ProxyProtocol } from '@bursar/contract/proxy-url';
import { normalizeUsername } from '@bursar/contract/username';
import { Alert, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../calls/use-read.ts';
import { textField, type UrlFields, useUrlState } from '../../lists/url-state.ts';
import { Answered } from '../../page/answered.tsx';
import { Page } from '../../page/page.tsx';
import { Section } from '../../page/section.tsx';
import { Copyable } from '../../secrets/copyable.tsx';
import { pageNames } from '../../shell/texts.ts';
import { AddressFields } from './address-fields.tsx';
import { chosenOptions, offeredAddresses, proxyAt, type TypedOptions, typedAddress } from './choices.ts';
import classes from './connect.module.css';
import { OptionFields } from './option-fields.tsx';
import { ExampleResult, KeyResult } from './result.tsx';
import { SubUserField, useIsKnown } from './sub-user-field.tsx';
import { connectTexts } from './texts.ts';

interface Props {
	/** `null` for an operator, who has no account. */
	readonly reseller: string | null;
}

/** Puts together how a program reaches the proxies. */
export function ConnectPage({ reseller }: Props) {
	const access = useRead('/proxy-access', {});
	return (
		<Page title={pageNames.connect} lead={reseller === null ? connectTexts.operatorLead : connectTexts.lead}>
			<Answered query={access}>
				{(facts) => (
					<>
						<Note isOperator={reseller === null} isSet={facts.proxy_urls.length > 0} />
						<Composer reseller={reseller} access={facts} />
					</>
				)}
			</Answered>
		</Page>
	);
}

/** Says what the operator has to set, or that it is not set. */
function Note({ isOperator, isSet }: { readonly isOperator: boolean; readonly isSet: boolean }) {
	if (isSet) {
		return isOperator && <Text size="sm">{connectTexts.settings}</Text>;
	}
	return (
		<Alert color="yellow" title={isOperator ? connectTexts.unsetTitle : connectTexts.unknownTitle}>
			<Stack gap="sm">
				<Text size="sm">{isOperator ? connectTexts.unset : connectTexts.unknown}</Text>
				{isOperator && <Copyable text={connectTexts.settingExample} label={connectTexts.settingLabel} />}
			</Stack>
		</Alert>
	);
}

interface UrlState {
	readonly sub_user: string;
}

/** The key never stands in the address of the page. */
const urlFields: UrlFields<UrlState> = { sub_user: textField(USERNAME_MAX_LENGTH) };

interface ComposerProps extends Props {
	readonly access: ProxyAccess;
}

function Composer({ reseller, access }: ComposerProps) {
	const [{ sub_user: subUser }, change] = useUrlState(urlFields);
	const isKnown = useIsKnown(reseller, subUser);
	const offered = offeredAddresses(access.proxy_urls);
	const [address, setAddress] = useState(offered[0]?.address ?? '');
	const [protocol, setProtocol] = useState<ProxyProtocol>('http');
	const [typed, setTyped] = useState<TypedOptions>(new Map());

	const chosen = offered.find((one) => one.address === address) ?? offered[0] ?? typedAddress(address);
	const proxy = proxyAt(chosen, protocol);
	const options = chosenOptions(access.options, typed);
	return (
		<>
			<Section title={connectTexts.choose}>
				<div className={classes.fields}>
					{reseller !== null && (
						<SubUserField
							reseller={reseller}
							value={subUser}
							isKnown={isKnown}
							onChange={(sub_user) => change({ sub_user }, { replace: true })}
						/>
					)}
					<AddressFields
						offered={offered}
						chosen={chosen}
						protocol={proxy?.protocol ?? protocol}
						onAddress={setAddress}
						onProtocol={setProtocol}
					/>
					<OptionFields offered={access.options} typed={typed} onType={setTyped} />
				</div>
			</Section>
			{result()}
		</>
	);

	function result() {
		const username = subUser === '' ? reseller : normalizeUsername(subUser);
		if (username === undefined || isKnown === false) return <Incomplete what="sub_user" />;
		if (!proxy) return <Incomplete what="address" />;
		if (options === 'wrong') return <Incomplete what="options" />;
		if (options === 'too_many') return <Incomplete what="too_many" />;
		if (username === null) return <ExampleResult proxy={proxy} options={options} />;
		return <KeyResult key={username} proxy={proxy} options={options} username={username} />;
	}
}

function Incomplete({ what }: { readonly what: keyof typeof connectTexts.incomplete }) {
	return (
		<Text size="sm" c="dimmed" role="status">
			{connectTexts.incomplete[what]}
		</Text>
	);
}
