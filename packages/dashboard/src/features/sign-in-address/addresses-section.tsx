import type { SubUserDetails } from '@bursar/contract/dashboard';
import { useState } from 'react';
import { ActButton } from '../../acts/act-button.tsx';
import { Done } from '../../page/done.tsx';
import { IfMay } from '../../page/if-may.tsx';
import { Name } from '../../page/name.tsx';
import { Section } from '../../page/section.tsx';
import { AddressesDialog } from './addresses-dialog.tsx';
import { signInAddressTexts as texts } from './texts.ts';

/** From where a sub-user signs in without a password. Nothing, if that is not allowed and it has no addresses. */
export function AddressesSection({ details }: { readonly details: SubUserDetails }) {
	const { sign_in_ips: ips, sign_in_by_address: isAllowed } = details;
	const [done, setDone] = useState('');
	if (!isAllowed && ips.length === 0 && done === '') return null;
	return (
		<Section
			title={texts.title}
			lead={isAllowed ? texts.lead : texts.offLead}
			actions={
				<AddressesDialog
					details={details}
					onDone={setDone}
					button={(open) => (
						<IfMay path="/sub-users/sign-in-ips">
							<ActButton variant="default" onClick={open}>
								{texts.change}
							</ActButton>
						</IfMay>
					)}
				/>
			}
		>
			<Addresses ips={ips} />
			<Done>{done}</Done>
		</Section>
	);
}

export function Addresses({ ips }: { readonly ips: readonly string[] }) {
	if (ips.length === 0) return <div>{texts.nowhere}</div>;
	return ips.map((ip) => (
		<div key={ip}>
			<Name>{ip}</Name>
		</div>
	));
}
