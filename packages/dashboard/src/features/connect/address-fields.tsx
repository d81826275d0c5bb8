import type { ProxyProtocol } from '@bursar/contract/proxy-url';
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import { type OfferedAddress, proxyAt } from './choices.ts';
import { connectTexts } from './texts.ts';

/** A host name has at most 253 characters. */
const MAX_LENGTH = 260;

interface Props {
	/** Empty if the operator has not said where the proxies are. Then the address is typed. */
	readonly offered: readonly OfferedAddress[];
	readonly chosen: OfferedAddress;
	readonly protocol: ProxyProtocol;
	readonly onAddress: (address: string) => void;
	readonly onProtocol: (protocol: ProxyProtocol) => void;
}

/** Asks for the proxy, and for the protocol to it. */
export function AddressFields({ offered, chosen, protocol, onAddress, onProtocol }: Props) {
	return (
		<>
			{offered.length > 0 ? (
				<NativeSelect
					label={connectTexts.address}
					data={offered.map(({ address }) => address)}
					value={chosen.address}
					onChange={({ currentTarget }) => onAddress(currentTarget.value)}
				/>
			) : (
				<TypedAddressField chosen={chosen} onAddress={onAddress} />
			)}
			<NativeSelect
				label={connectTexts.protocol}
				data={chosen.protocols.map((value) => ({ value, label: connectTexts.protocols[value] }))}
				value={protocol}
				onChange={({ currentTarget }) => onProtocol(currentTarget.value as ProxyProtocol)}
			/>
		</>
	);
}

function TypedAddressField({ chosen, onAddress }: Pick<Props, 'chosen' | 'onAddress'>) {
	const [text, setText] = useState('');
	/** What is still being typed is not wrong yet. */
	const [isLeft, setLeft] = useState(false);
	const isWrong = isLeft && text !== '' && !proxyAt(chosen, 'http');
	return (
		<PlainTextInput
			label={connectTexts.typedAddress}
			description={!isWrong && connectTexts.typedAddressHint}
			inputWrapperOrder={['label', 'input', 'description', 'error']}
			error={isWrong && connectTexts.typedAddressWrong}
			value={text}
			maxLength={MAX_LENGTH}
			inputMode="url"
			isName
			onBlur={() => setLeft(true)}
			onType={(address) => {
				setText(address);
				onAddress(address);
			}}
		/>
	);
}
