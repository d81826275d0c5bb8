import type { ResellerDetails } from '@bursar/contract/dashboard';
import { Empty } from '../../lists/empty.tsx';
import { Section } from '../../page/section.tsx';
import { InvitePerson } from './invite-person.tsx';
import { PeopleList } from './people-list.tsx';
import { peopleTexts } from './texts.ts';

/** Who may sign in for a reseller. */
export function PeopleSection({ reseller, people }: Pick<ResellerDetails, 'reseller' | 'people'>) {
	return (
		<Section
			title={peopleTexts.people}
			lead={peopleTexts.peopleLead}
			actions={<InvitePerson reseller={reseller}>{peopleTexts.invite}</InvitePerson>}
		>
			{people.length === 0 ? (
				<Empty>{peopleTexts.noPeople}</Empty>
			) : (
				<PeopleList people={people.map((person) => ({ ...person, reseller }))} />
			)}
		</Section>
	);
}
