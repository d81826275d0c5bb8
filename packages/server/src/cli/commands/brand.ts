import { BRAND_PARTS, type BrandPart } from '@bursar/contract/brand';
import { MAX_LOGO_BYTES, type PngProblem, readPng } from '@bursar/contract/png';
import { CommandError, readBoundedFile, say, UsageError } from '@bursar/terminal';
import { Argument, Command } from 'commander';
import { type Brand, type BrandChange, OWN_BRAND } from '../../domain/operators/brand.ts';
import { printResult } from '../output.ts';
import { refusalError } from '../refusals.ts';
import { inSession } from '../session.ts';

interface Options {
	readonly json?: boolean;
}

interface SetOptions extends Options {
	readonly name?: string;
	readonly color?: string;
	readonly logo?: string;
	readonly legalName?: string;
	readonly address?: readonly string[];
	readonly taxNumber?: string;
}

const EXAMPLE = `
Example:
  $ bursar brand set --name "North Proxies" --color "#0b7285" --logo logo.png
`;

const SET_HELP = `
What is not given stays. The logo is a PNG of at most 64 KiB and 1024 pixels a side, not animated. The letterhead stands on
statements that people print, and in mails: give each line of the address by itself. A running service shows a change within
seconds.

Examples:
  $ bursar brand set --name "North Proxies" --color "#0b7285" --logo logo.png
  $ bursar brand set --legal-name "North Proxies GmbH" --address "Hafenstr. 1" "20457 Hamburg" --tax-number DE123456789
`;

/** `bursar brand ...` */
export function brandCommand(): Command {
	const brand = new Command('brand').description("Set the network's own name, colour, logo and letterhead.");
	brand.addHelpText('after', EXAMPLE);

	brand
		.command('show')
		.description('show what is set')
		.addHelpText('after', '\nExample:\n  $ bursar brand show --json\n')
		.action((options: Options) => showBrand(options));

	brand
		.command('set')
		.description('set some of it')
		.option('--name <name>', 'what people call the service: 1 to 40 characters')
		.option('--color <color>', 'the colour of buttons and links, like "#0b7285"')
		.option('--logo <file>', 'a PNG')
		.option('--legal-name <name>', 'letterhead: the name of the business')
		.option('--address <line...>', 'letterhead: the address, 5 lines at most')
		.option('--tax-number <number>', 'letterhead: the tax number')
		.addHelpText('after', SET_HELP)
		.action((options: SetOptions) => setBrand(options));

	brand
		.command('reset')
		.description("take it back to Bursar's own look: all of it, or some parts")
		.addArgument(new Argument('[part...]', 'what is taken back').choices(BRAND_PARTS))
		.addHelpText('after', '\nExamples:\n  $ bursar brand reset\n  $ bursar brand reset logo color\n')
		.action((parts: readonly BrandPart[], options: Options) => resetBrand(parts, options));
	return brand;
}

async function showBrand({ json }: Options): Promise<void> {
	printBrand(await inSession(({ store }) => store.readBrand()), json);
}

async function setBrand({ name, color, logo, legalName, address, taxNumber, json }: SetOptions): Promise<void> {
	const change: BrandChange = {
		...(name !== undefined && { name }),
		...(color !== undefined && { color }),
		...(logo !== undefined && { logo: readLogo(logo) }),
		...(legalName !== undefined && { legalName }),
		...(address !== undefined && { address }),
		...(taxNumber !== undefined && { taxNumber }),
	};
	if (Object.keys(change).length === 0) throw new UsageError('give at least one of the options');
	await changeBrand(change, json);
}

async function resetBrand(parts: readonly BrandPart[], { json }: Options): Promise<void> {
	const { name, color, logo, ...letterhead } = OWN_BRAND;
	const own: Readonly<Record<BrandPart, BrandChange>> = {
		...{ name: { name }, color: { color }, logo: { logo } },
		letterhead,
	};
	const wanted = parts.length === 0 ? BRAND_PARTS : parts;
	await changeBrand(Object.assign({}, ...wanted.map((part) => own[part])), json);
}

async function changeBrand(change: BrandChange, json: boolean | undefined): Promise<void> {
	const brand = await inSession(async ({ store, bank }) => {
		const outcome = await bank.changePerson({ kind: 'set_brand', change });
		if (!outcome.ok) throw refusalError(outcome);
		return store.readBrand();
	});
	printBrand(brand, json);
	if (!json) say('A running service shows it within seconds.');
}

const PROBLEMS: Readonly<Record<PngProblem, string>> = {
	too_large: 'is larger than 64 KiB',
	not_png: 'is not a PNG',
	too_many_pixels: 'has a side of more than 1024 pixels',
	animated: 'is animated',
	damaged: 'is damaged',
};

/** The rules check it once more. Here, the operator learns what is wrong. */
function readLogo(file: string): Uint8Array {
	const bytes = readFile(file);
	const png = bytes ? readPng(bytes) : ({ problem: 'too_large' } as const);
	if ('problem' in png) throw new CommandError('invalid_logo', `the logo ${file} ${PROBLEMS[png.problem]}`);
	return png.bytes;
}

function readFile(file: string): Uint8Array | undefined {
	try {
		return readBoundedFile(file, MAX_LOGO_BYTES);
	} catch (cause) {
		throw new CommandError('file_unreadable', `the logo ${file} cannot be read (${(cause as Error).message})`);
	}
}

function printBrand({ name, color, logo, legalName, address, taxNumber }: Brand, json: boolean | undefined): void {
	const size = logo && readPng(logo);
	const image = size && 'width' in size ? { width: size.width, height: size.height, bytes: size.bytes.length } : null;
	if (json) {
		const letterhead = { legal_name: legalName, address, tax_number: taxNumber };
		printResult({ name, color, logo: image, ...letterhead }, true);
		return;
	}
	printResult(
		{
			name: name ?? 'Bursar (not set)',
			color: color ?? '-',
			logo: image ? `${image.width} x ${image.height} pixels, ${image.bytes} bytes` : '-',
			legal_name: legalName || '-',
			address: address.join(', ') || '-',
			tax_number: taxNumber || '-',
		},
		false,
	);
}
