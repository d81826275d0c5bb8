import type { ResellerDetails } from '@bursar/contract/dashboard';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import { Section } from '../../page/section.tsx';
import { StateBadge } from '../../page/state-badge.tsx';
import { signInAddressTexts } from '../sign-in-address/texts.ts';
import { useRefreshReseller } from './use-reseller.ts';

/** Whether the sub-users of a reseller may sign in by address, and the button that changes it. */
export function SignInSection({ details }: { readonly details: ResellerDetails }) {
	const { reseller, sign_in_by_address: isAllowed } = details;
	const { title, reseller: texts } = signInAddressTexts;
	return (
		<Section title={title} lead={texts.lead} actions={<Permission reseller={reseller} isAllowed={isAllowed} />}>
			<div role="status">
				<StateBadge tone={isAllowed ? 'good' : 'off'}>{isAllowed ? texts.on : texts.off}</StateBadge>
			</div>
		</Section>
	);
}

interface Props {
	readonly reseller: string;
	readonly isAllowed: boolean;
}

function Permission({ reseller, isAllowed }: Props) {
	const refresh = useRefreshReseller();
	const { reseller: texts } = signInAddressTexts;
	/** Stays the same while the dialog is open, even if another operator changes it meanwhile. */
	const [allowed, setAllowed] = useState(!isAllowed);
	const asked = allowed ? texts.allow : texts.end;
	return (
		<ActDialog
			path="/operator/sign-in-by-address"
			done={(details) => refresh(reseller, details)}
			title={asked.title(reseller)}
			button={(open) => (
				<Button
					variant="default"
					onClick={() => {
						setAllowed(!isAllowed);
						open();
					}}
				>
					{isAllowed ? texts.end.action : texts.allow.action}
				</Button>
			)}
		>
			{(act) => (
				<ActForm
					act={act}
					body={{ reseller, allowed }}
					action={asked.action}
					isDangerous={!allowed}
					repeated={texts.repeated}
				>
					<Text size="sm">{asked.intro(reseller)}</Text>
				</ActForm>
			)}
		</ActDialog>
	);
}
