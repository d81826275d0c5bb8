// The group lays out its radios with the styles of an input.
import { ROLES, type Role } from '@bursar/contract/dashboard';
import { Radio, Stack } from '@mantine/core';
import { roleTexts } from './texts.ts';

interface Props {
	readonly value: Role;
	readonly onChoose: (role: Role) => void;
}

/** Asks what a person of a reseller may do. */
export function RoleField({ value, onChoose }: Props) {
	return (
		<Radio.Group label={roleTexts.label} value={value} onChange={(role) => onChoose(role as Role)}>
			<Stack gap="xs" mt="xs">
				{ROLES.map((role) => (
					<Radio key={role} value={role} label={roleTexts.names[role]} description={roleTexts.means[role]} />
				))}
			</Stack>
		</Radio.Group>
	);
}
