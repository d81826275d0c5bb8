import { Link } from 'wouter';
import type { HitGroup } from './hits.ts';
import classes from './search.module.css';
import { searchTexts } from './texts.ts';

interface Props {
	readonly id: string;
	readonly groups: readonly HitGroup[];
	/** The index of the chosen hit among all. */
	readonly current: number;
	readonly onOpen: () => void;
}

/** The hits of a search, by kind. Each is a link, so that it can also be opened in a new tab. */
export function HitList({ id, groups, current, onOpen }: Props) {
	let index = -1;
	return (
		<div id={id} role="listbox" aria-label={searchTexts.hits} className={classes.list}>
			{groups.map(({ kind, hits }) => (
				// biome-ignore lint/a11y/useSemanticElements: a list of options has no fieldset.
				<div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
					<div id={`${id}-${kind}`} role="presentation" className={classes.kind}>
						{searchTexts.groups[kind]}
					</div>
					{hits.map(({ name, details, path }) => {
						index += 1;
						return (
							<Link
								key={`${path} ${name}`}
								id={`${id}-${index}`}
								href={path}
								role="option"
								aria-selected={index === current}
								// Not all screen readers say the group of an option.
								aria-label={`${searchTexts.groups[kind]}: ${[name, details].filter(Boolean).join(', ')}`}
								tabIndex={-1}
								className={classes.hit}
								onClick={onOpen}
							>
								<span className={classes.name}>{name}</span>
								{details !== undefined && <span className={classes.details}>{details}</span>}
							</Link>
						);
					})}
				</div>
			))}
		</div>
	);
}
