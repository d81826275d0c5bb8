import { type ListedPerson, normalizeNewEmail, type Role } from '@bursar/contract/dashboard';
import { Button, type ButtonProps, Text } from '@mantine/core';
import { useState } from 'react';
import type { ActDialogProps } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act, ActBody } from '../../acts/use-act.ts';
import { usePresence } from '../../calls/presence.ts';
import { useTakeOver } from '../../calls/use-read.ts';
import { momentText } from '../../format/time.ts';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import { RoleField } from '../../forms/role-field.tsx';
import { SecretActDialog } from '../../secrets/secret-dialog.tsx';
import { peopleTexts } from './texts.ts';

export interface InviteProps extends ButtonProps {
	/** Who was invited before, and has not accepted yet. */
	readonly invited?: Pick<ListedPerson, 'email' | 'role'>;
	readonly children: string;
}

type InvitePath = '/team/invite' | '/operator/people/invite';

interface FieldsProps<Path extends InvitePath> {
	readonly invited?: InviteProps['invited'] | undefined;
	readonly bodyOf: (email: string, role: Role | null) => ActBody<Path> | undefined;
	readonly intro: string;
	/** The role that is offered first; `null` for an operator, who has none. */
	readonly offered: Role | null;
}

type Props<Path extends InvitePath> = InviteProps &
	FieldsProps<Path> &
	Pick<ActDialogProps<Path>, 'path' | 'done' | 'title'>;

/** A button that invites a person, and a dialog that shows the link once. */
export function InviteDialog<Path extends InvitePath>({
	path,
	done,
	title,
	bodyOf,
	intro,
	offered,
	invited,
	children,
	...button
}: Props<Path>) {
	return (
		<SecretActDialog
			path={path}
			done={done}
			title={title}
			button={(open) => (
				<Button variant="default" {...button} onClick={open}>
					{children}
				</Button>
			)}
			secretOf={({ link, email, expires, mailing }) => ({
				title: peopleTexts.linkTitle,
				secret: link,
				label: peopleTexts.linkLabel,
				intro: peopleTexts.linkIntros[mailing](email, momentText(expires)),
			})}
		>
			{(act) => <InviteForm act={act} bodyOf={bodyOf} intro={intro} offered={offered} invited={invited} />}
		</SecretActDialog>
	);
}

interface PersonProps extends InviteProps {
	/** `null`: the person becomes an operator. */
	readonly reseller: string | null;
}

/** A button with which an operator invites a person. */
export function InvitePerson({ reseller, ...props }: PersonProps) {
	const isOperator = reseller === null;
	const { invited } = props;
	const title = isOperator ? peopleTexts.inviteOperator : peopleTexts.invite;
	return (
		<InviteDialog
			{...props}
			path="/operator/people/invite"
			bodyOf={(email, role) => ({ email, reseller, role })}
			done={useRefreshPeople()}
			title={invited ? peopleTexts.inviteAgainOne(invited.email) : title}
			intro={isOperator ? peopleTexts.inviteOperatorIntro : peopleTexts.inviteIntro(reseller)}
			offered={isOperator ? null : 'owner'}
		/>
	);
}

/** For after a change: the pages read people again. */
export function useRefreshPeople() {
	const takeOver = useTakeOver();
	return () => takeOver(undefined, ['/operator/reseller', '/operator/people']);
}

/** Whether the person gets the link by mail. */
export function MailNote() {
	const { data } = usePresence();
	if (!data) return null;
	return (
		<Text size="sm" c="dimmed">
			{data.sends_mail ? peopleTexts.alsoMailed : peopleTexts.notMailed}
		</Text>
	);
}

interface FormProps<Path extends InvitePath> extends FieldsProps<Path> {
	readonly act: Act<Path>;
}

function InviteForm<Path extends InvitePath>({ act, bodyOf, intro, offered, invited }: FormProps<Path>) {
	const [typed, setTyped] = useState(invited?.email ?? '');
	const [role, setRole] = useState(invited?.role ?? offered);
	const email = normalizeNewEmail(typed);
	return (
		<ActForm
			act={act}
			body={email === undefined ? undefined : bodyOf(email, role)}
			action={peopleTexts.inviteNow}
			repeated={peopleTexts.linkLost}
		>
			<Text size="sm">{intro}</Text>
			<PlainTextInput
				// A field of the type `email` refuses addresses that the service accepts.
				inputMode="email"
				label={peopleTexts.email}
				value={typed}
				onType={setTyped}
				required
				withAsterisk={false}
				isName
				isFirst
			/>
			{role !== null && <RoleField value={role} onChoose={setRole} />}
			<MailNote />
		</ActForm>
	);
}
