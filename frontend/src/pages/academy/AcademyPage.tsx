import { FormattedMessage } from 'react-intl';

import { QueryBoundary } from '../../loading/QueryBoundary';
import { PageHeading } from '../../layouts/PageHeading';
import { ProfileLayout } from '../../layouts/ProfileLayout';
import { Catalogue } from './Catalogue';
import { useAcademyQuery } from './data/useAcademyQuery';
import { LearningPaths } from './LearningPaths';
import { SummaryFigures } from './SummaryFigures';

/** Render `/academy` (spec section 2, Academy). */
export default function AcademyPage() {
  const query = useAcademyQuery();
  return (
    <ProfileLayout>
      <PageHeading
        title={<FormattedMessage id="academy.title" />}
        lead={<FormattedMessage id="academy.lead" />}
      >
        {query.data && <SummaryFigures summary={query.data.summary} />}
      </PageHeading>
      <QueryBoundary query={query}>
        {({ paths, courses }) => (
          <>
            <LearningPaths paths={paths} courses={courses} />
            <Catalogue courses={courses} />
          </>
        )}
      </QueryBoundary>
    </ProfileLayout>
  );
}
