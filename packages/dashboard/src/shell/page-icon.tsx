import type { Icon } from '@tabler/icons-react';
import IconAntenna from '@tabler/icons-react/icons/IconAntenna';
import IconBook2 from '@tabler/icons-react/icons/IconBook2';
import IconBuildingStore from '@tabler/icons-react/icons/IconBuildingStore';
import IconChartBar from '@tabler/icons-react/icons/IconChartBar';
import IconCode from '@tabler/icons-react/icons/IconCode';
import IconCoins from '@tabler/icons-react/icons/IconCoins';
import IconCreditCard from '@tabler/icons-react/icons/IconCreditCard';
import IconHistory from '@tabler/icons-react/icons/IconHistory';
import IconLayoutDashboard from '@tabler/icons-react/icons/IconLayoutDashboard';
import IconMail from '@tabler/icons-react/icons/IconMail';
import IconPalette from '@tabler/icons-react/icons/IconPalette';
import IconPlugConnected from '@tabler/icons-react/icons/IconPlugConnected';
import IconReceipt from '@tabler/icons-react/icons/IconReceipt';
import IconServer from '@tabler/icons-react/icons/IconServer';
import IconUserCircle from '@tabler/icons-react/icons/IconUserCircle';
import IconUsers from '@tabler/icons-react/icons/IconUsers';
import IconUsersGroup from '@tabler/icons-react/icons/IconUsersGroup';
import IconWebhook from '@tabler/icons-react/icons/IconWebhook';

/** The icons of the pages, by their paths. */
const ICONS: Readonly<Record<string, Icon>> = {
	'/': IconLayoutDashboard,
	'/sub-users': IconUsers,
	'/connect': IconPlugConnected,
	'/statement': IconReceipt,
	'/top-ups': IconCreditCard,
	'/token': IconCode,
	'/webhooks': IconWebhook,
	'/account': IconUserCircle,
	'/api-tokens': IconCode,
	'/brand': IconPalette,
	'/resellers': IconBuildingStore,
	'/income': IconCoins,
	'/bandwidth': IconChartBar,
	'/usage': IconAntenna,
	'/edges': IconServer,
	'/payments': IconCreditCard,
	'/ledger': IconBook2,
	'/mail': IconMail,
	'/people': IconUsersGroup,
	'/team': IconUsersGroup,
	'/activity': IconHistory,
};

/** The icon of a page. Its name stands beside it. */
export function PageIcon({ path }: { readonly path: string }) {
	const Shown = ICONS[path];
	return Shown && <Shown size={18} stroke={1.5} aria-hidden="true" />;
}
