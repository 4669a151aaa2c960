"""The GraphQL schema, joined from the queries and mutations of the apps."""

import graphene

import accounts.schema
import newsletter.schema


class Query(accounts.schema.Query, newsletter.schema.Query, graphene.ObjectType):
    """Everything that can be read."""


class Mutation(accounts.schema.Mutation, newsletter.schema.Mutation, graphene.ObjectType):
    """Everything that can be done."""


schema = graphene.Schema(query=Query, mutation=Mutation)
